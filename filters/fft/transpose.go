package fft

// gather puts n values of each of Lanes rows side by side: those at even places into even, those at odd ones into odd,
// step floats from one to the next. n is a multiple of 8.
func gather(even, odd []float32, step int, rows []float32, pitch, n int) {
	for i := range Lanes {
		row := rows[i*pitch:][:n]
		for x := 0; x < n; x += 2 {
			even[x/2*step+i], odd[x/2*step+i] = row[x], row[x+1]
		}
	}
}

// scatter is the other way round.
func scatter(rows []float32, pitch int, even, odd []float32, step, n int) {
	for i := range Lanes {
		row := rows[i*pitch:][:n]
		for x := 0; x < n; x += 2 {
			row[x], row[x+1] = even[x/2*step+i], odd[x/2*step+i]
		}
	}
}
