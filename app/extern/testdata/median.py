import io, json, sys
import numpy as np
from scipy import ndimage

# Each block: a line of JSON, then a .npy file. Each answer: a .npy file of the same shape.
while line := sys.stdin.buffer.readline():
    about = json.loads(line)
    block = np.load(io.BytesIO(sys.stdin.buffer.read(about["bytes"])))
    out = io.BytesIO()
    np.save(out, ndimage.median_filter(block, size=3).astype(about["answer_dtype"]))
    sys.stdout.buffer.write(out.getvalue())
    sys.stdout.buffer.flush()
