import { Button, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { WholePage } from '../feedback/whole-page.tsx'
import { developmentRoles, type RememberedPerson } from './development-person.ts'

const roleLabels = { researcher: 'Researcher', admin: 'Administrator' } as const

/** Only where the platform runs with its development issuer: anyone may be anyone. */
export function SignInPage({ onSignIn }: { onSignIn: (person: RememberedPerson) => void }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<string>('researcher')
  const [error, setError] = useState<string>()
  const submit = () => {
    const chosen = developmentRoles.find((each) => each === role)
    if (name.trim() === '' || !chosen) return setError('Please give a name.')
    onSignIn({ name: name.trim(), role: chosen })
  }
  return (
    <WholePage>
      <Title order={1} size="h2">
        Atrium console
      </Title>
      <Text c="dimmed">
        This platform runs in development mode: there are no passwords, and you may be anyone.
      </Text>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="Recorded with what you do"
            value={name}
            error={error}
            maxLength={100}
            autoComplete="name"
            required
            data-autofocus
            onChange={(event) => {
              setName(event.currentTarget.value)
              setError(undefined)
            }}
          />
          <Radio.Group label="Sign in as" value={role} onChange={setRole}>
            <Stack gap="xs" mt="xs">
              {developmentRoles.map((each) => (
                <Radio key={each} value={each} label={roleLabels[each]} />
              ))}
            </Stack>
          </Radio.Group>
          <Button type="submit">Sign in</Button>
        </Stack>
      </form>
    </WholePage>
  )
}
