import type { Share, ShareAccess } from '@atrium/contract'
import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { useSession } from '../session/session.ts'
import { accessChoices, accessNamed, problemWith, userNamed } from './share-list.ts'

interface ShareFormProps {
  shares: readonly Share[]
  isBusy: boolean
  onShare: (share: Share, onSaved: () => void) => void
}

export function ShareForm({ shares, isBusy, onShare }: ShareFormProps) {
  const text = texts().sharing
  // Only without a provider do people choose their role, and then they have no e-mail address.
  const isDevelopment = useSession().chosenRole !== undefined
  const [user, setUser] = useState('')
  const [access, setAccess] = useState<ShareAccess>('view')
  const [problem, setProblem] = useState<string>()
  const submit = () => {
    const named = userNamed(user, isDevelopment)
    const found = problemWith(named, shares)
    setProblem(found)
    if (found === undefined) onShare({ user: named, access }, () => setUser(''))
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
          label={text.shareWith}
          description={isDevelopment ? text.inDevelopment : text.atProvider}
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
          label={text.access}
          data={accessChoices()}
          value={access}
          onChange={(event) => setAccess(accessNamed(event.currentTarget.value))}
        />
        <Button type="submit" loading={isBusy}>
          {text.share}
        </Button>
      </Group>
    </form>
  )
}
