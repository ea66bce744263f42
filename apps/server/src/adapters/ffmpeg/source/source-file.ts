/** An original, or its edges, as it was downloaded. */
export interface SourceFile {
  /** The job's folder, in which the file has our name. */
  folder: string
  size: number
  /** False if only its beginning and its end were downloaded and zeros are between them. */
  isWhole: boolean
}

/** The part of the file that was downloaded does not suffice to judge it. */
export class WholeFileNeeded extends Error {}

export interface InspectOptions {
  signal: AbortSignal
  /** Something has moved. */
  touch(): void
}
