/** An upload that the platform has a record of, and that may have begun before a reload. */
export interface UnfinishedUpload {
  videoId: string
  uploadId: string
  key: string
}

export interface UploadOptions {
  /** Continues this upload instead of beginning a new one. */
  unfinished?: UnfinishedUpload | undefined
  /** Called when the platform has a record of the upload, so that it can be continued later. */
  onBegun(upload: UnfinishedUpload): void
  /** May go back when an attempt to send a part is repeated. */
  onProgress(sentBytes: number): void
}

/** A file on its way to the platform. */
export interface RunningUpload {
  /** Resolves with the id of the video once the file is stored; never settles while paused or after `cancel`. */
  stored: Promise<string>
  pause(): void
  resume(): void
  /** Stops sending, and removes what the platform has stored of the file. */
  cancel(): Promise<void>
}

/** What the page needs to send files; the queue decides which one is sent when. */
export interface VideoUploads {
  begin(file: File, options: UploadOptions): RunningUpload
}
