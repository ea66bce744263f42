/** Letters that fit in a row on a phone, and on the widest page. */
const lettersOnPhone = 30
const lettersOnPage = 62

/** Whether labels fit under a line: everywhere, only on a wide page, or nowhere, in which case they are rotated. */
export function labelCrowding(labels: readonly string[]): 'roomy' | 'crowded' | 'packed' {
  const needed = labels.map(longestWord).reduce((sum, letters) => sum + letters + 1, 0)
  if (needed > lettersOnPage) return 'packed'
  return needed > lettersOnPhone ? 'crowded' : 'roomy'
}

const longestWord = (label: string): number => Math.max(...label.split(/\s+/).map((word) => word.length))
