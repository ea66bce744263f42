import type { ShareAccess } from '@atrium/contract'

export const accessChoices: { value: ShareAccess; label: string }[] = [
  { value: 'view', label: 'Can view' },
  { value: 'edit', label: 'Can edit and steer' },
]

/** The choice behind the value of a field. */
export const accessNamed = (value: string): ShareAccess => (value === 'edit' ? 'edit' : 'view')
