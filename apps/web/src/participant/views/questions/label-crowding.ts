/** How many letters of the labels fit side by side on a phone, and on the widest page. */
const lettersOnPhone = 30
const lettersOnPage = 62

/** Whether the labels fit under the line: everywhere, only on a wide page, or nowhere, so that they are rotated. */
export function labelCrowding(labels: readonly string[]): 'roomy' | 'crowded' | 'packed' {
  const needed = labels.map(longestWord).reduce((sum, letters) => sum + letters + 1, 0)
  if (needed > lettersOnPage) return 'packed'
  return needed > lettersOnPhone ? 'crowded' : 'roomy'
}

const longestWord = (label: string): number => Math.max(...label.split(/\s+/).map((word) => word.length))
