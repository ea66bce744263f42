/**
 * How far a participant’s clock may be off for their page to say so: ten years. By itself, because the first page needs it
 * and none of the other limits.
 */
export const maxClockOffsetMs = 315_576_000_000
