/** While the pictures and sounds of a page are loaded. */
export const files = {
  loading: 'Loading pictures and sounds …',
  failed: 'Not all pictures and sounds of this page could be loaded. Please check your connection.',
  tryAgain: 'Try again',
  goOn: 'Continue without them',
}
