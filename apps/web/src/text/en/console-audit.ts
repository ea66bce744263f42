/** The page of the audit log, for administrators. */
export const audit = {
  audit: {
    title: 'Audit log',
    intro:
      'Exports, deletions, changes of access and status, and what researchers did in rooms, newest first. Entries cannot be changed or deleted here. A deleted participant is not named.',
    refresh: 'Refresh',
    columns: { at: 'When', actor: 'Who', action: 'What', subject: 'To what', details: 'Details' },
    detail: (name: string, value: string) => `${name}: ${value}`,
    empty: { title: 'Nothing yet', message: 'What researchers and administrators do will be listed here.' },
  },
}
