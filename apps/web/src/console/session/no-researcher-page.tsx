import { Button, Text, Title } from '@mantine/core'
import { WholePage } from '../feedback/whole-page.tsx'

export function NoResearcherPage({ name, signOut }: { name: string; signOut: (() => void) | undefined }) {
  return (
    <WholePage>
      <Title order={1} size="h2">
        This account is not a researcher
      </Title>
      <Text>
        You are signed in as <strong>{name}</strong>, but the console is for researchers and administrators of
        this platform. Ask whoever runs it to give your account the role <em>researcher</em>, then load this
        page again.
      </Text>
      {signOut ? (
        <Button onClick={signOut}>Sign in as someone else</Button>
      ) : (
        <Button onClick={() => location.reload()}>Load again</Button>
      )}
    </WholePage>
  )
}
