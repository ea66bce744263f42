import type { ExperimentDefinition } from '@atrium/contract'
import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { copiedName } from './access.ts'
import { useSaveDefinition } from './experiment-queries.ts'

/** Makes an experiment of one’s own from the definition of another. */
export function CopyExperimentButton({ definition }: { definition: ExperimentDefinition }) {
  const save = useSaveDefinition(undefined)
  const [, navigate] = useLocation()
  const name = copiedName(definition.name)
  const copy = () =>
    save.mutate(
      { ...definition, name },
      {
        onSuccess: ({ experimentId }) => {
          notifyDone(`“${name}” is saved as a draft of your own.`)
          navigate(`/experiments/${experimentId}/definition`)
        },
        onError: (error) => notifyFailed('The copy was not made', error),
      },
    )
  return (
    <Button variant="default" size="compact-md" loading={save.isPending} onClick={copy}>
      Make a copy
    </Button>
  )
}
