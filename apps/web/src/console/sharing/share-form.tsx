import type { Share, ShareAccess } from '@atrium/contract'
import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { problemWith } from './share-list.ts'
import { accessChoices, accessNamed } from './share-words.ts'

interface ShareFormProps {
  shares: readonly Share[]
  isBusy: boolean
  onShare: (share: Share, onSaved: () => void) => void
}

const whoInDevelopment =
  'In development mode: “console:” followed by their name in lower case, for example console:ada.'
const whoAtProvider =
  'Their verified e-mail address, or the subject of their account. They need the researcher role.'

export function ShareForm({ shares, isBusy, onShare }: ShareFormProps) {
  // Whoever could choose their role has no provider that knows their address.
  const isDevelopment = useSession().chosenRole !== undefined
  const [user, setUser] = useState('')
  const [access, setAccess] = useState<ShareAccess>('view')
  const [problem, setProblem] = useState<string>()
  const submit = () => {
    const found = problemWith(user.trim(), shares)
    setProblem(found)
    if (found === undefined) onShare({ user: user.trim(), access }, () => setUser(''))
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) submit()
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Share with"
          description={isDevelopment ? whoInDevelopment : whoAtProvider}
          value={user}
          error={problem}
          autoComplete="off"
          onChange={(event) => {
            setUser(event.currentTarget.value)
            setProblem(undefined)
          }}
          style={{ flex: '1 1 240px', minWidth: 0 }}
        />
        <NativeSelect
          label="Access"
          data={accessChoices}
          value={access}
          onChange={(event) => setAccess(accessNamed(event.currentTarget.value))}
        />
        <Button type="submit" loading={isBusy}>
          Share
        </Button>
      </Group>
    </form>
  )
}
