export { frame } from './participant-frame.ts'
export { pages } from './participant-pages.ts'
export { views } from './participant-views.ts'
export { shared } from './shared.ts'
