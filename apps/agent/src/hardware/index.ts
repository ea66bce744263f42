export { detectHardware, sourcesOfThisMachine } from './detect-hardware.ts'
export { type Gpu, type Hardware, inExactGibibytes, inGibibytes, inGigabytes } from './hardware.ts'
