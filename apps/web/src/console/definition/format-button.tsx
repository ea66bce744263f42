import { Button } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { formatDefinition } from './check-text.ts'
import { readJson } from './json-places.ts'

export function FormatButton({ text, onFormat }: { text: string; onFormat: (text: string) => void }) {
  const format = () => {
    const read = readJson(text)
    if (read.ok) onFormat(formatDefinition(read.value))
  }
  return (
    <Button variant="default" onClick={format}>
      {texts().definition.format}
    </Button>
  )
}
