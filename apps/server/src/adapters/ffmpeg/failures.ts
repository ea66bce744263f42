/** A run that failed for a reason that a researcher understands from the message. Another run may succeed. */
export class TranscodeFailed extends Error {}

/** The transcoder cannot work on this machine for now; the message says what is missing. It looks again every time. */
export class FfmpegMissing extends Error {}
