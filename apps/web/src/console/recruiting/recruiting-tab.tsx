import { type ExperimentDefinition, outcomeNames, outcomesIn, prolificCodeOf } from '@atrium/contract'
import { Stack, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { CopiedLink } from '../experiments/copied-link.tsx'
import { joinLink, prolificLink, sonaLink } from '../experiments/join-links.ts'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { RowTable } from '../feedback/row-table.tsx'
import { ProlificCard } from './prolific-card.tsx'

interface RecruitingTabProps {
  experimentId: string
  definition: ExperimentDefinition
}

export default function RecruitingTab({ experimentId, definition }: RecruitingTabProps) {
  return (
    <Stack gap="xl">
      <SiteLinks experimentId={experimentId} definition={definition} />
      <Codes definition={definition} />
      <ProlificCard experimentId={experimentId} experimentName={definition.name} />
    </Stack>
  )
}

function SiteLinks({ experimentId, definition: { recruiting } }: RecruitingTabProps) {
  const { links, recruiting: text } = texts()
  const { origin } = location
  const missing = [
    recruiting?.prolific ? [] : text.prolific.title,
    recruiting?.sona ? [] : text.sonaName,
    recruiting?.mturk ? [] : text.mturkName,
  ].flat()
  return (
    <section aria-labelledby="site-links">
      <Title order={2} size="h4" id="site-links" mb="sm">
        {links.title}
      </Title>
      <Stack maw={760}>
        <CopiedLink
          label={links.prolific}
          description={links.prolificHint}
          value={prolificLink(origin, experimentId)}
        />
        <CopiedLink label={text.sona} description={text.sonaHint} value={sonaLink(origin, experimentId)} />
        <CopiedLink label={text.mturk} description={text.mturkHint} value={joinLink(origin, experimentId)} />
        {missing.map((site) => (
          <Text key={site} size="sm" c="dimmed">
            {text.noSettings(site)}
          </Text>
        ))}
      </Stack>
    </section>
  )
}

function Codes({ definition }: Pick<RecruitingTabProps, 'definition'>) {
  const text = texts().recruiting.codes
  const outcomes = [...new Set([...outcomeNames, ...outcomesIn(definition)])]
  return (
    <section aria-labelledby="codes">
      <Title order={2} size="h4" id="codes" mb="sm">
        {text.title}
      </Title>
      {definition.recruiting?.prolific ? (
        <RowTable
          rows={outcomes}
          keyOf={(outcome) => outcome}
          minWidth={300}
          columns={[
            { header: text.outcome, cell: (outcome) => outcome, breaksAnywhere: true },
            {
              header: text.code,
              cell: (outcome) => prolificCodeOf(definition, outcome) ?? text.noCode,
              breaksAnywhere: true,
            },
          ]}
        />
      ) : (
        <NothingHere title={text.none}>{text.noneMessage}</NothingHere>
      )}
    </section>
  )
}
