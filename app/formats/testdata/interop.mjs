// Says as JSON what zarrita sees in the OME-Zarr images of a folder, of versions 0.4 and 0.5, as interop.py does of others.
//
//     node interop.mjs NODE_MODULES FOLDER
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, folder] = process.argv.slice(2).map((p) => resolve(p));
const zarr = await import(pathToFileURL(join(modules, "zarrita/dist/src/index.js")));
const { default: FileSystemStore } = await import(pathToFileURL(join(modules, "@zarrita/storage/dist/src/fs.js")));

const out = {};
for (const name of readdirSync(folder).filter((n) => /\.v[45]\.zarr$/.test(n))) {
  const open = name.endsWith(".v4.zarr") ? zarr.open.v2 : zarr.open.v3;
  const root = zarr.root(new FileSystemStore(join(folder, name)));
  const group = await open(root, { kind: "group" });
  const { multiscales, omero } = group.attrs.ome ?? group.attrs;
  const { axes, datasets } = multiscales[0];
  const at = (d) => open(root.resolve(d.path), { kind: "array" });
  const array = await at(datasets[0]);
  const { data, shape } = await zarr.get(array);
  const [t, c, z, y, x] = shape; // the order of NGFF; here channels go behind z
  const plane = y * x;
  const turned = new data.constructor(data.length);
  for (let i = 0; i < t; i++)
    for (let j = 0; j < c; j++)
      for (let k = 0; k < z; k++)
        turned.set(data.subarray(((i * c + j) * z + k) * plane, ((i * c + j) * z + k + 1) * plane), ((i * z + k) * c + j) * plane);
  const levels = [];
  for (const d of datasets.slice(1)) {
    const coarse = await at(d);
    await zarr.get(coarse);
    levels.push(coarse.shape.slice(-2));
  }
  const unit = { micrometer: 1 };
  const um = axes.map((a, i) => [a, datasets[0].coordinateTransformations[0].scale[i]]).filter(([a]) => a.type === "space").map(([a, s]) => s * unit[a.unit]);
  out[name] = {
    shape: [t, z, c, y, x], dtype: array.dtype, levels, um,
    sha256: createHash("sha256").update(new Uint8Array(turned.buffer)).digest("hex"),
    names: (omero?.channels ?? []).map((c) => c.label), colors: (omero?.channels ?? []).map((c) => "#" + c.color.toLowerCase()),
  };
}
console.log(JSON.stringify(out));
