package filters

import (
	"context"

	"lamella/lazy"
)

// A wiring runs a network over strips of rows. Each wire has a row of its own for each of the three stages; its
// value stays where the stage before left it until an exchange writes it.
type wiring[K whole] struct {
	net    *network
	out    raster[K]
	in     raster[K]
	before lazy.Index
	*order[K]

	// A ring of ny columns, sorted along z, each kept until no later row looks back at it.
	columns [][]K // (row % ny)*nz + z
	loaded  [][]K // memory of what is read, where it is not used in place
	held    [][]K // memory of what the exchanges along z write

	sortedY, ownY [][]K // wires z*ny + y
	wires, ownX   [][]K // wires k*nx + x, where k counts the sorted column
}

// stripBytes is about how much memory the wires of the last stage share, of which few are in use at once: the rows
// stay in the first cache, and are long enough that calling a loop costs little.
const stripBytes = 32 << 10

func networkRows[K whole](ctx context.Context, net *network, out, in raster[K], halo lazy.Halo) error {
	w := wiring[K]{net: net, out: out, in: in, before: halo.Before, order: orderOf[K]()}
	n := out.block.Region.Len(out.along)
	strip := min(n, max(64, stripBytes/(net.nz*net.ny*net.nx*in.block.DType.Size())&^31))
	long := strip + net.nx - 1
	zy := net.nz * net.ny
	w.columns, w.loaded, w.held = make([][]K, zy), rowsOf[K](zy, long), rowsOf[K](zy, long)
	w.sortedY, w.ownY = make([][]K, zy), rowsOf[K](zy, long)
	w.wires, w.ownX = make([][]K, zy*net.nx), rowsOf[K](zy*net.nx, strip)
	return out.planes(func(i lazy.Index) error {
		first := i[out.along]
		for x := 0; x < n; x += strip {
			i[out.along] = first + x
			if err := w.strip(ctx, i, min(strip, n-x)); err != nil {
				return err
			}
		}
		return nil
	})
}

func rowsOf[K whole](n, long int) [][]K {
	all := make([]K, n*long)
	rows := make([][]K, n)
	for i := range rows {
		rows[i] = all[i*long : (i+1)*long : (i+1)*long]
	}
	return rows
}

// strip computes n voxels of each row of a plane, from the one at i on.
func (w *wiring[K]) strip(ctx context.Context, i lazy.Index, n int) error {
	ny, across := w.net.ny, w.out.across
	from, rows := i, w.out.block.Region.Len(across)
	for a := range lazy.Rank {
		from[a] -= w.before[a]
	}
	for y := range rows + ny - 1 {
		w.column(from, y%ny, n+w.net.nx-1)
		from[across]++
		if y < ny-1 {
			continue
		}
		if y%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		w.row(i, y+1, n)
		i[across]++
	}
	return nil
}

// column reads the rows at one y, n voxels of each, and sorts them along z.
func (w *wiring[K]) column(from lazy.Index, slot, n int) {
	nz := w.net.nz
	for z := range nz {
		w.columns[slot*nz+z] = w.in.row(from, n, w.loaded[slot*nz+z])
		from[lazy.Z]++
	}
	w.run(w.net.alongZ, w.columns[slot*nz:(slot+1)*nz], w.held[slot*nz:], n)
}

// row makes one row of the result from the ring, whose oldest column is that of row oldest.
func (w *wiring[K]) row(i lazy.Index, oldest, n int) {
	nz, ny, nx := w.net.nz, w.net.ny, w.net.nx
	for z := range nz {
		for y := range ny {
			w.sortedY[z*ny+y] = w.columns[(oldest+y)%ny*nz+z]
		}
	}
	w.run(w.net.alongY, w.sortedY, w.ownY, n+nx-1)
	for k := range w.wires {
		w.wires[k] = w.sortedY[w.net.column[k/nx]][k%nx:]
	}
	w.run(w.net.alongX, w.wires, w.ownX, n)
	w.out.put(i, w.wires[w.net.result][:n])
}

// run does the exchanges of one stage on n voxels of each wire.
func (w *wiring[K]) run(list []exchange, wires, own [][]K, n int) {
	for _, e := range list {
		a, b := wires[e.lo], wires[e.hi]
		lo, hi := own[e.lo][:n], own[e.hi][:n]
		switch {
		case e.less && e.greats:
			w.exchange(lo, hi, a, b)
		case e.less:
			w.lesser(lo, a, b)
		default:
			w.greater(hi, a, b)
		}
		wires[e.lo], wires[e.hi] = lo, hi
	}
}
