import { nameOf, type WrittenDefinition } from '@atrium/contract'
import { Button } from '@mantine/core'
import { useLocation } from 'wouter'
import { texts } from '../../text/console.ts'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { useBeginStudy } from './experiment-queries.ts'

/** The name of a copy, within what the contract allows. */
export const copiedName = (name: string): string =>
  texts().copyExperiment.name([...name].slice(0, 190).join(''))

/** Creates an experiment of one’s own from the definition of another. */
export function CopyExperimentButton({ definition }: { definition: WrittenDefinition }) {
  const text = texts().copyExperiment
  const save = useBeginStudy()
  const [, navigate] = useLocation()
  const name = copiedName(nameOf(definition))
  const copy = () =>
    save.mutate(
      { ...definition, name },
      {
        onSuccess: ({ experimentId }) => {
          notifyDone(text.done(name))
          navigate(`/experiments/${experimentId}/definition`)
        },
        onError: (error) => notifyFailed(text.failed, error),
      },
    )
  return (
    <Button variant="default" size="compact-md" loading={save.isPending} onClick={copy}>
      {text.button}
    </Button>
  )
}
