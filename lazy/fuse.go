package lazy

// A Fuser is an Op that may take over the work of the op before it, whose result is then no block of its own.
//
// Fuse gives the op that computes of the input of before, an op on one array, what o computes of its result,
// bit for bit; false where it cannot be or does not pay. The array keeps the hash of the two ops: a key says
// what the voxels are, not how they come about, so blocks that were computed apart are found by a fused
// recipe and the other way round.
type Fuser interface {
	Fuse(before Op) (Op, bool)
}

// fused is a node that does the work of its input too, or the node itself.
func (n *Node) fused() *Node {
	f, ok := n.Op.(Fuser)
	if !ok || len(n.In) != 1 || n.In[0].Op == nil || len(n.In[0].In) != 1 {
		return n
	}
	op, ok := f.Fuse(n.In[0].Op)
	if !ok {
		return n
	}
	return &Node{Meta: n.Meta, Op: op, In: n.In[0].In, Hash: n.Hash, Origin: n.Origin}
}
