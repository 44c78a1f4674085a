"""Middleware of Swift: one key pair for S3, as VersityGW has it, and a health check."""
import os

from swift.common.swob import HTTPForbidden, HTTPOk

KEY, SECRET = os.environ['ROOT_ACCESS_KEY'], os.environ['ROOT_SECRET_KEY']


def allow(_request):
    return None


def refuse(request):
    return HTTPForbidden(request=request)


def is_allowed(env):
    s3 = env.get('s3api.auth_details')
    if s3:
        return s3['access_key'] == KEY and s3['check_signature'](SECRET)
    # Only this container's own program makes buckets without a signature.
    return env['REMOTE_ADDR'] == '127.0.0.1'


def filter_factory(_settings, **_local):
    def wrap(app):
        def answer(env, start):
            env['swift.authorize'] = allow if is_allowed(env) else refuse
            env['REMOTE_USER'] = KEY
            env['swift_owner'] = True
            if env['swift.authorize'] is refuse:
                return HTTPForbidden()(env, start)
            return app(env, start)

        return answer

    return wrap


def health_factory(_settings, path='/health', **_local):
    def wrap(app):
        return lambda env, start: (HTTPOk(body=b'OK') if env['PATH_INFO'] == path else app)(env, start)

    return wrap
