import type { ExperimentAccess, ExperimentDefinition } from '@atrium/contract'
import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { People } from '../people/people.tsx'
import { Plots } from '../plots/plots.tsx'
import { ExportPanel } from './export-panel.tsx'
import { ReadyFiles } from './ready-files.tsx'

interface DataTabProps {
  experimentId: string
  name: string
  revision: number
  definition: ExperimentDefinition
  access: ExperimentAccess
}

const views = ['plots', 'people', 'files'] as const
type View = (typeof views)[number]

export default function DataTab({ experimentId, name, revision, definition, access }: DataTabProps) {
  const text = texts().dataViews
  const [view, setView] = useState<View>('plots')
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label={text.label}
        value={view}
        onChange={(value) => setView(views.find((one) => one === value) ?? 'plots')}
        data={views.map((value) => ({ value, label: text.views[value] }))}
        // What it switches is there at once.
        transitionDuration={0}
        style={{ alignSelf: 'flex-start' }}
      />
      {view === 'plots' && <Plots experimentId={experimentId} definition={definition} />}
      {view === 'people' && <People experimentId={experimentId} definition={definition} access={access} />}
      {view === 'files' && (
        <Stack gap="xl">
          <ReadyFiles experimentId={experimentId} definition={definition} access={access} />
          <ExportPanel experimentId={experimentId} experimentName={name} revision={revision} />
        </Stack>
      )}
    </Stack>
  )
}
