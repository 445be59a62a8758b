package engine

// A choice is an executor that is used where it is thought to be faster.
type choice struct{ Executor }
