import { type PaymentForecast as Forecast, forecastRoutes } from '@atrium/contract'
import { Alert, Button, Group, NumberInput, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { Failure } from '../feedback/failure.tsx'
import { Figure } from '../feedback/figure.tsx'
import { useApi } from '../session/session.ts'
import { forecastFigures, forecastNotes, maxPeople, peopleIn } from './forecast-figures.ts'

interface PaymentForecastProps {
  experimentId: string
  /** The draft that would be launched; absent where it is the newest revision. */
  draft?: unknown
  /** How many people can join; absent without a limit. */
  capacity?: number | undefined
}

const usualPeople = 100

/** What the study will cost, before anybody has come. */
export function PaymentForecast({ experimentId, draft, capacity }: PaymentForecastProps) {
  const text = texts().launch.forecast
  const api = useApi()
  const [written, setWritten] = useState<string | number>(capacity ?? usualPeople)
  const [isRefused, setRefused] = useState(false)
  const forecast = useMutation({
    mutationFn: (people: number) =>
      api.call(forecastRoutes.payments, {
        params: { experimentId },
        body: { people, ...(draft !== undefined && { definition: draft }) },
      }),
  })
  const submit = () => {
    const people = peopleIn(written)
    setRefused(people === undefined)
    if (people !== undefined) forecast.mutate(people)
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="forecast" maw={760}>
      <Title order={2} size="h4" id="forecast">
        {text.title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {text.intro}
      </Text>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Group align="flex-start" gap="sm">
          <NumberInput
            label={text.people}
            description={text.peopleHint}
            value={written}
            onChange={(people) => {
              setWritten(people)
              setRefused(false)
            }}
            error={isRefused ? text.peopleBetween(maxPeople) : undefined}
            min={1}
            max={maxPeople}
            thousandSeparator=","
            allowDecimal={false}
            w={{ base: '100%', xs: 240 }}
          />
          <Button type="submit" loading={forecast.isPending} mt={{ base: 0, xs: 46 }}>
            {text.run}
          </Button>
        </Group>
      </form>
      <Stack gap="sm" mt="sm" aria-live="polite">
        {forecast.isPending && <Text size="sm">{text.running}</Text>}
        {forecast.error && <Failure error={forecast.error} title={text.failed} onRetry={submit} />}
        {forecast.data && !forecast.isPending && <Result forecast={forecast.data} />}
      </Stack>
    </Paper>
  )
}

function Result({ forecast }: { forecast: Forecast }) {
  const notes = forecastNotes(forecast)
  return (
    <>
      {forecast.perPerson && (
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          {forecastFigures(forecast).map((figure) => (
            <Figure key={figure.label} {...figure} />
          ))}
        </SimpleGrid>
      )}
      <Text size="sm">{notes.basis}</Text>
      {notes.warnings.map((warning) => (
        <Alert key={warning} color="yellow" title={warning} />
      ))}
    </>
  )
}
