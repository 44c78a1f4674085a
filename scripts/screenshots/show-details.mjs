/** Opens the details in the overlay, which a wide window shows from the start. */
export async function showDetails(dialog, say) {
  const details = dialog.getByRole('button', { name: say('Details'), exact: true }).last();
  await details.waitFor();
  const closed = details.and(dialog.locator('[aria-pressed="false"], [aria-expanded="false"]'));
  if ((await closed.count()) > 0) await details.click();
}
