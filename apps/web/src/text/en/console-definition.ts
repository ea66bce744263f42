export const definition = {
  findings: {
    none: '✓ No problems found',
    checking: 'Checking …',
    failed: 'The definition could not be checked.',
    again: 'Check again',
    levels: { error: 'error', warning: 'warning', note: 'note' },
  },
}
