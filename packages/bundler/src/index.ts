export { bundleForImage, bundleServer } from './deployed.ts'
export { root, writeBundles } from './write-bundles.ts'
