import { IconButton } from '../ui/buttons/icon-button.tsx';
import { themeIcons, useThemeLabel } from './theme-label.ts';

export function ThemeButton() {
  const [theme, label, cycle] = useThemeLabel();
  const Icon = themeIcons[theme];
  return (
    <IconButton label={label} onClick={cycle}>
      <Icon />
    </IconButton>
  );
}
