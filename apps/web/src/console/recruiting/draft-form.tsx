import { Button, NumberInput, SimpleGrid, Stack, Textarea, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { texts } from '../../text/console.ts'
import { Failure } from '../feedback/failure.tsx'
import { notifyDone } from '../feedback/notify.ts'
import { useCreateStudy } from './prolific-queries.ts'

interface DraftFormProps {
  experimentId: string
  experimentName: string
}

export function DraftForm({ experimentId, experimentName }: DraftFormProps) {
  const text = texts().recruiting.draft
  const [name, setName] = useState(experimentName)
  const [description, setDescription] = useState('')
  const [numbers, setNumbers] = useState({ places: 10, minutes: 10, reward: 150 })
  const creation = useCreateStudy(experimentId)
  const create = (event: FormEvent) => {
    event.preventDefault()
    creation.mutate(
      { name: name.trim(), description: description.trim(), ...numbers, origin: location.origin },
      { onSuccess: () => notifyDone(text.created) },
    )
  }
  return (
    <form onSubmit={create}>
      <Stack gap="sm" maw={560}>
        <Title order={3} size="h5">
          {text.title}
        </Title>
        <TextInput
          label={text.name}
          value={name}
          required
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={text.description}
          value={description}
          required
          maxLength={5_000}
          autosize
          minRows={2}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          {(['places', 'minutes', 'reward'] as const).map((each) => (
            <NumberInput
              key={each}
              label={text[each]}
              value={numbers[each]}
              min={1}
              allowDecimal={false}
              required
              onChange={(value) => setNumbers({ ...numbers, [each]: Number(value) })}
            />
          ))}
        </SimpleGrid>
        <Button type="submit" loading={creation.isPending} style={{ alignSelf: 'flex-start' }}>
          {text.create}
        </Button>
        {creation.error && <Failure error={creation.error} title={text.failed} />}
      </Stack>
    </form>
  )
}
