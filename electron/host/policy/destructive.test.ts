import { expect, test } from "vitest";
import { isDestructive } from "./destructive.ts";

test.each([
  "rm -rf build",
  "rm -r x",
  "/bin/rm -f x",
  "\\rm -rf x",
  "cd x && rm -rf .",
  "sudo rm -rf /",
  "sudo -u root rm -rf /",
  "xargs rm -rf",
  "find . -name x -delete",
  "find . -exec rm -rf {} +",
  "sh -c 'rm -rf x'",
  "bash -lc 'cd / && rm -rf x'",
  "echo $(rm -rf x)",
  "if true; then rm -rf x; fi",
  "dd if=/dev/zero of=/dev/sda",
  "mkfs.ext4 /dev/sda1",
  "shred x",
  "chmod -R 777 /",
  "git push --force",
  "git push -f origin main",
  "git push origin +main",
  "git push origin :main",
  "git push --force-with-lease",
  "git -C x push --force",
  "git reset --hard HEAD~3",
  "git clean -fdx",
  "git checkout -- .",
  "git branch -D x",
  "git stash drop",
  "shutdown now",
  "kill -9 1",
  ":(){ :|:& };:",
])("%s", (command) => {
  expect(isDestructive(command)).toBe(true);
});
test.each([
  "ls -la",
  "rm x.txt",
  "git status",
  "git push",
  "git push origin main",
  "git commit -m 'rm -rf is dangerous'",
  "echo rm -rf x",
  "git checkout main",
  "git reset HEAD x",
  "npm test",
  "sh script.sh",
  "find . -name '*.ts'",
  "kill 123",
  "grep -rf patterns .",
])("not %s", (command) => {
  expect(isDestructive(command)).toBe(false);
});

test.each([
  ["Remove-Item -Recurse -Force x", true],
  ["remove-item x -rec", true],
  ["ri -r x", true],
  ["rm -r x", true],
  ["rd /s /q x", true],
  ["del /f x", true],
  ["Get-ChildItem | Remove-Item -Force", true],
  ["Format-Volume -DriveLetter C", true],
  ["Restart-Computer", true],
  ["Stop-Process -Name x -Force", true],
  ["git push --force", true],
  ["Remove-Item x.txt", false],
  ["Get-ChildItem -Recurse", false],
  ["git status", false],
])("in PowerShell %s: %s", (command, destructive) => {
  expect(isDestructive(command, true)).toBe(destructive);
});
