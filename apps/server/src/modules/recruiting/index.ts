export { createProlificApi } from './prolific-api.ts'
export { createRecruiting } from './recruiting.ts'
