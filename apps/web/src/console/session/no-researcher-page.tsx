import { Button, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { WholePage } from '../feedback/whole-page.tsx'

export function NoResearcherPage({ name, signOut }: { name: string; signOut: (() => void) | undefined }) {
  const text = texts().noResearcher
  return (
    <WholePage>
      <Title order={1} size="h2">
        {text.title}
      </Title>
      <Text>{text.message(name)}</Text>
      {signOut ? (
        <Button onClick={signOut}>{text.signInAsOther}</Button>
      ) : (
        <Button onClick={() => location.reload()}>{text.reload}</Button>
      )}
    </WholePage>
  )
}
