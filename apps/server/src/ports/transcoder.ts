// In the contract, because the functions, which know nothing of the server, use it too.
export { type Source, type TranscodeJob, type Transcoder, UnusableSource } from '@atrium/contract'
