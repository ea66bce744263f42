import { Code, Table, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'

export function ColumnGuide() {
  const { fields, field, meaning, meanings } = texts().data
  return (
    <section aria-labelledby="columns">
      <Title order={2} size="h4" id="columns" mb="xs">
        {fields}
      </Title>
      <Table maw={860} layout="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{field}</Table.Th>
            <Table.Th>{meaning}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Object.entries(meanings).map(([name, explanation]) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Code>{name}</Code>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{explanation}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
