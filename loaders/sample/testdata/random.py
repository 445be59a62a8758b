"""Prints the voxels that sample_test.go expects of sample:random: SplitMix64 of the index and the seed.

    python3 random.py
"""
M = (1 << 64) - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & M
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & M
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & M
    return x ^ (x >> 31)


def voxel(seed, t, z, c, y, x):
    h = seed
    for part in (t, z, c, y):
        h = mix(h ^ part)
    return mix((h + x) & M)


for seed, index in ((1, (0, 0, 0, 0, 0)), (7, (0, 3, 0, 2, 1)), (7, (1, 2, 3, 4, 5))):
    v = voxel(seed, *index)
    print(seed, index, "uint8", v & 255, "int16", ((v & 0xFFFF) ^ 0x8000) - 0x8000, "uint64", v, "float64", repr((v >> 11) / 2**53))
