import { Button, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { WholePage } from '../feedback/whole-page.tsx'
import { developmentRoles, type RememberedPerson } from './development-person.ts'

/** Only with the development issuer, where anyone can sign in as anyone. */
export function SignInPage({ onSignIn }: { onSignIn: (person: RememberedPerson) => void }) {
  const text = texts().signIn
  const [name, setName] = useState('')
  const [role, setRole] = useState<string>('researcher')
  const [error, setError] = useState<string>()
  const submit = () => {
    const chosen = developmentRoles.find((each) => each === role)
    if (name.trim() === '' || !chosen) return setError(text.nameMissing)
    onSignIn({ name: name.trim(), role: chosen })
  }
  return (
    <WholePage>
      <Title order={1} size="h2">
        {text.title}
      </Title>
      <Text c="dimmed">{text.development}</Text>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <TextInput
            label={text.name}
            description={text.nameHint}
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
          <Radio.Group label={text.role} value={role} onChange={setRole}>
            <Stack gap="xs" mt="xs">
              {developmentRoles.map((each) => (
                <Radio key={each} value={each} label={text.roles[each]} />
              ))}
            </Stack>
          </Radio.Group>
          <Button type="submit">{text.submit}</Button>
        </Stack>
      </form>
    </WholePage>
  )
}
