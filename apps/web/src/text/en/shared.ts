export const shared = {
  noAnswer: 'The server is not responding. Please check your connection.',
  unexpectedStatus: (status: number) => `The server responded with status ${status}.`,
}
