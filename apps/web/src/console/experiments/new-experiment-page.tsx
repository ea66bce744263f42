import { nameOf } from '@atrium/contract'
import { Anchor, Button, FileButton, Group, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { FlowThumbnail } from '../builder/flow/flow-picture.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { type Template, templates } from './templates.ts'
import { useNewStudy } from './use-new-study.ts'
import '../builder/builder.css'

/** An empty page, or a study to change. What is chosen is made at once, as a draft, and opens in the builder. */
export default function NewExperimentPage() {
  const text = texts().newExperiment
  const all = useMemo(templates, [])
  const [chosen, setChosen] = useState<Template | undefined>(all[0])
  const [name, setName] = useState<string>()
  const study = useNewStudy()
  const shownName = name ?? (chosen ? nameOf(chosen.definition) : '')
  const create = () => chosen && study.create({ ...chosen.definition, name: shownName.trim() })
  return (
    <Stack>
      <Anchor component={Link} href="/" size="sm">
        {texts().experiments.back}
      </Anchor>
      <PageTitle>{text.title}</PageTitle>
      <Text size="sm" c="dimmed">
        {text.intro}
      </Text>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={text.name}
          value={shownName}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
          style={{ flex: '1 1 240px' }}
          maw={420}
        />
        <Button disabled={shownName.trim() === ''} loading={study.isPending} onClick={create}>
          {text.create}
        </Button>
        <FileButton accept="application/json,.json" onChange={(file) => file && void study.read(file)}>
          {(props) => (
            <Button {...props} variant="default">
              {text.import}
            </Button>
          )}
        </FileButton>
      </Group>
      <TemplateChoice all={all} chosen={chosen} onChoose={setChosen} />
    </Stack>
  )
}

interface TemplateChoiceProps {
  all: readonly Template[]
  chosen: Template | undefined
  onChoose: (template: Template | undefined) => void
}

function TemplateChoice({ all, chosen, onChoose }: TemplateChoiceProps) {
  return (
    <Radio.Group
      label={texts().newExperiment.startFrom}
      value={chosen?.id ?? ''}
      onChange={(id) => onChoose(all.find((each) => each.id === id))}
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="sm" mt={4}>
        {all.map((template) => (
          <Radio.Card key={template.id} value={template.id} p="sm">
            <FlowThumbnail document={template.definition} />
            <Group wrap="nowrap" align="flex-start" gap="sm" mt="xs">
              <Radio.Indicator />
              <div>
                <Text size="sm" fw={600}>
                  {template.title}
                </Text>
                <Text size="xs" c="dimmed" lineClamp={3}>
                  {template.description}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
