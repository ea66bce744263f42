export { findBadCompany, findOwnerElsewhere } from './company.ts'
export { createRegistration } from './registration.ts'
export { selectPod } from './select-pod.ts'
export { createTakeOver } from './take-over.ts'
