/** The path of a QR code's dark modules, as one rectangle for each run in a row. @param modules rows, true for dark */
export function qrPath(modules: readonly (readonly boolean[])[]): string {
  const runs = modules.flatMap((row, y) => {
    const parts: string[] = [];
    for (let x = 0; x < row.length; x += 1) {
      const from = x;
      while (row[x]) x += 1;
      if (x > from) parts.push(`M${from} ${y}h${x - from}v1h-${x - from}z`);
    }
    return parts;
  });
  return runs.join('');
}
