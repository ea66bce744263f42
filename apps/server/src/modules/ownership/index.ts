export { createOwnership, type Ownership } from './ownership.ts'
export { createPlacement } from './placement.ts'
export { selectPod } from './select-pod.ts'
