export { createProlificApi } from './prolific-api.ts'
export { createRecruiting, type Recruiting } from './recruiting.ts'
