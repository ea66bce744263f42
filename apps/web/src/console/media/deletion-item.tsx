import { Menu, Text } from '@mantine/core'
import { texts } from '../../text/console.ts'

interface DeletionItemProps {
  label: string
  /** Why it is not possible. */
  objection: string | undefined
  onDelete: () => void
}

/** Deletes something, or says why that is not possible. */
export function DeletionItem({ label, objection, onDelete }: DeletionItemProps) {
  if (objection === undefined)
    return (
      <Menu.Item color="red" onClick={onDelete}>
        {label}
      </Menu.Item>
    )
  return (
    // Not `disabled`: the keyboard must reach it, or its reason would go unheard.
    <Menu.Item aria-disabled closeMenuOnClick={false} c="dimmed">
      {label}
      <Text size="xs">{objection}</Text>
    </Menu.Item>
  )
}

interface Uploaded {
  isOwn: boolean
  usedBy: readonly unknown[]
}

export function objectionToDeleting(one: Uploaded, mayAdminister: boolean): string | undefined {
  const { inUse, notYours } = texts().media
  if (!one.isOwn && !mayAdminister) return notYours
  return one.usedBy.length > 0 ? inUse : undefined
}
