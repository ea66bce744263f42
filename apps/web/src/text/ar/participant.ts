export { pages } from './participant-pages.ts'
export { tasks } from './participant-tasks.ts'
export { views } from './participant-views.ts'
export { shared } from './shared.ts'
