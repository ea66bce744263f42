import { Paper, Text } from '@mantine/core'

interface FigureProps {
  label: string
  value: string
  note?: string
  isAlarming?: boolean
}

/** A figure with its label. */
export function Figure({ label, value, note = '', isAlarming = false }: FigureProps) {
  return (
    <Paper withBorder p="sm" {...(isAlarming && { style: { borderColor: 'var(--mantine-color-red-6)' } })}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text
        fz={24}
        lh={1.3}
        fw={600}
        className="figure"
        {...(isAlarming && { c: 'var(--mantine-color-error)' })}
      >
        {value}
      </Text>
      <Text size="xs" c="dimmed" mih="1.2em">
        {isAlarming && <span aria-hidden>⚠ </span>}
        {note}
      </Text>
    </Paper>
  )
}
