import {
  Button,
  CloseButton,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core'
import { useId } from 'react'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import type { ShownStep, Step } from './first-steps.ts'

interface FirstStepsCardProps {
  steps: readonly ShownStep[]
  onTake: (step: Step, href: string) => void
  onHide: () => void
}

/** The way from nothing to a launched study. One step at a time has a button. */
export function FirstStepsCard({ steps, onTake, onHide }: FirstStepsCardProps) {
  const text = texts().firstSteps
  const titleId = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={titleId}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="sm">
        <Title order={2} size="h3" id={titleId}>
          {text.title}
        </Title>
        <CloseButton aria-label={text.hide} title={text.hide} onClick={onHide} />
      </Group>
      <SimpleGrid component="ol" cols={{ base: 1, sm: 3 }} spacing="lg" className="first-steps">
        {steps.map((shown, at) => (
          <StepItem key={shown.step} {...shown} number={at + 1} onTake={onTake} />
        ))}
      </SimpleGrid>
    </Paper>
  )
}

interface StepItemProps extends ShownStep, Pick<FirstStepsCardProps, 'onTake'> {
  number: number
}

function StepItem({ step, state, href, number, onTake }: StepItemProps) {
  const { steps, done } = texts().firstSteps
  const { title, message, action } = steps[step]
  return (
    <li {...(state === 'next' && { 'aria-current': 'step' })}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <span className={`step-number is-${state}`} aria-hidden>
          {state === 'done' ? '✓' : texts().format.number(number)}
        </span>
        <Stack gap={6} align="flex-start">
          <Text fw={600}>
            {state === 'done' && <VisuallyHidden>{done} </VisuallyHidden>}
            {title}
          </Text>
          <Text size="sm" c="dimmed">
            {message}
          </Text>
          {href !== undefined && (
            <Button component={Link} href={href} size="sm" onClick={() => onTake(step, href)}>
              {action}
            </Button>
          )}
        </Stack>
      </Group>
    </li>
  )
}
