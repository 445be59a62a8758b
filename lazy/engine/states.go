package engine

import "lamella/lazy"

// TaskState is how far the engine is with a task.
type TaskState uint8

// From a task that nobody has asked for, or whose block is gone, to one whose block is held.
const (
	Absent TaskState = iota
	Waiting
	Running
	Held
)

// States is how far each task of a plan is at this moment. It pins nothing: the next moment may be another.
func (e *Engine) States(p lazy.Plan) []TaskState {
	states := make([]TaskState, len(p.Tasks))
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, t := range p.Tasks {
		j := e.jobs[t.Key]
		switch {
		case e.cache.find(t.Key) != nil:
			states[i] = Held
		case j == nil || j.state == finished || j.state == dropped:
		case j.state == running:
			states[i] = Running
		default:
			states[i] = Waiting
		}
	}
	return states
}
