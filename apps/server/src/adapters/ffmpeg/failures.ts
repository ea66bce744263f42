import { TranscodeFailed } from '../../ports/transcode-runner.ts'

// In the port, because workers tell a sentence for researchers from other errors by it.
export { TranscodeFailed }

/** The transcoder cannot work on this machine for now; the message says what is missing. It looks again every time. */
export class FfmpegMissing extends Error {}

/** Nothing has moved for too long. */
export class Stalled extends TranscodeFailed {}
