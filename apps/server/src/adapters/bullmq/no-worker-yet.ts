/** The message is for researchers. */
export class NoWorkerYet extends Error {
  override message = 'No worker has taken this video yet. It goes on as soon as one is free.'
}
