/** A metric of the contract, as the library of metrics wants it. */
export const described = ({
  name,
  help,
  labels,
}: {
  name: string
  help: string
  labels?: readonly string[]
}) => ({ name, help, labelNames: [...(labels ?? [])] })
